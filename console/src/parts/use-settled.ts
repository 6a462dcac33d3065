// A value once it has stopped changing: nobody asks for the price of every digit that is typed.
import { useEffect, useState } from 'react';

/** The value as it was when it last stayed the same for so long. Values are compared as JSON. */
export function useSettled<Value>(value: Value, forMs: number): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState({ text, value });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the value
  useEffect(() => {
    if (text === settled.text) return;
    const timer = setTimeout(() => setSettled({ text, value }), forMs);
    return () => clearTimeout(timer);
  }, [text, settled.text, forMs]);
  return settled.value;
}
