// Faults of an SSH key. Each follows its field’s name in a sentence.

export const rules = {
  kind: '%{kind} is no kind of key that can log in',
  base64: 'its base64 is damaged',
  cut: 'it is cut off or has something after its end',
  inner: 'it says %{kind} outside and another kind inside',
  parts: 'it lacks a part or has one too many',
  length: 'an Ed25519 key has 32 bytes',
  lines: 'it has more than one line',
  bits: 'an RSA key has at least %{bits} bits',
  numbers: 'it is no point of its curve, or no number of its kind',
};
