// Faults of an SSH key. Each follows its field’s name in a sentence.

export const rules = {
  kind: 'a key of type %{kind} cannot log in',
  base64: 'its base64 is not valid',
  cut: 'it is cut off, or has extra data at its end',
  inner: 'it is labelled %{kind} but contains another type',
  parts: 'a part is missing, or there is one too many',
  length: 'an Ed25519 key has 32 bytes',
  lines: 'it has more than one line',
  bits: 'an RSA key has at least %{bits} bits',
  numbers: 'its numbers do not make a valid key of its type',
};
