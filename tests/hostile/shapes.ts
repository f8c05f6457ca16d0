/**
 * Values of shapes that cost a careless reader much: long, wide, deep, repeated, big, odd. `json` is the text of the
 * value, because no value of JavaScript repeats a key or has a number of 100,000 digits. Nearly all are below the limits of a body, so that
 * they reach the code behind it.
 */
export type Shape = { name: string; json: string }

const text = (value: string) => JSON.stringify(value)
const list = (item: string, count: number) => `[${Array(count).fill(item).join()}]`
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

export const shapes: Shape[] = [
  { name: 'a long text', json: text('a'.repeat(600_000)) },
  { name: 'a text of blanks', json: text(` ${'\t '.repeat(250_000)}x`) },
  { name: 'a text of digits', json: text('9'.repeat(200_000)) },
  { name: 'a text of hex digits', json: text(`0x${'f'.repeat(400_000)}`) },
  { name: 'a text of opened expressions', json: text('{{#if a}}'.repeat(20_000)) },
  { name: 'a text of cheap expressions', json: text('{{number raw.n}}'.repeat(5_000)) },
  { name: 'a text of nested groups', json: text(`${'(a?'.repeat(20_000)}${')*'.repeat(20_000)}`) },
  { name: 'a text of lines', json: text('event E(uint256 a)\n'.repeat(20_000)) },
  { name: 'a text of parentheses', json: text(`event E(${'('.repeat(100_000)}`) },
  { name: 'odd Unicode', json: `"${'\\ud800\\u202e\\u0301👩‍👩‍👧'.repeat(10_000)}"` },
  { name: 'a zero byte', json: text(`a\u0000${'\u0007'.repeat(1_000)}`) },
  { name: 'a wide list of numbers', json: list('0', 45_000) },
  { name: 'a list of numbers just below 16 KiB', json: list('0', 8_000) },
  { name: 'a wide list of texts', json: list(text('0xabcdefabc'), 45_000) },
  { name: 'a wide list of objects', json: list('{}', 45_000) },
  { name: 'a list that is wider than a body may be', json: list('{}', 200_000) },
  { name: 'a list of equal entries', json: list('{"id":"a","name":"a","type":"a"}', 11_000) },
  { name: 'a wide object', json: `{${numbers(45_000).map((at) => `"k${at}":0`)}}` },
  { name: 'repeated keys', json: `{${list('"k":0', 100_000).slice(1, -1)}}` },
  { name: 'forbidden keys', json: '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"toString":1}' },
  { name: 'a deep list', json: `${'['.repeat(200_000)}${']'.repeat(200_000)}` },
  { name: 'a deep object', json: `${'{"a":'.repeat(60_000)}0${'}'.repeat(60_000)}` },
  { name: 'a big number', json: '9'.repeat(100_000) },
  { name: 'a number beyond all', json: '-1e999999' },
  { name: 'big numbers in a list', json: list('12345678901234567890', 20_000) },
  { name: 'null', json: 'null' },
]
