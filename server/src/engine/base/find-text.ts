/** V8 compares up to this many letters at each place; for longer texts its search is quadratic in the worst case. */
const shortMax = 7

/** `holder.includes(wanted)` in time linear in both lengths, whatever they are (Knuth, Morris and Pratt). */
export function includesText(holder: string, wanted: string): boolean {
  if (wanted.length <= shortMax) return holder.includes(wanted)
  if (wanted.length > holder.length) return false
  const borders = bordersOf(wanted)
  let matched = 0
  for (let at = 0; at < holder.length; at++) {
    matched = extend(wanted, borders, matched, holder.charCodeAt(at))
    if (matched === wanted.length) return true
  }
  return false
}

/** For each beginning of the text: the length of the longest shorter beginning that it also ends with. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length)
  for (let at = 1; at < text.length; at++)
    borders[at] = extend(text, borders, borders[at - 1] ?? 0, text.charCodeAt(at))
  return borders
}

/** The length of the longest beginning of `text` that ends with `letter`, after one of `matched` letters. */
function extend(text: string, borders: Uint32Array, matched: number, letter: number): number {
  let length = matched
  while (length > 0 && text.charCodeAt(length) !== letter) length = borders[length - 1] ?? 0
  return text.charCodeAt(length) === letter ? length + 1 : length
}
