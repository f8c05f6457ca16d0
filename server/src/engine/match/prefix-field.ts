const prime = 16_777_619
/** The code of a prefix covers at most this many characters, and its length in the last four bits. */
const codedMax = 15

/** A text of raw items that entries want to begin with a prefix. It caches what it read from the last item. */
export class PrefixField<Raw> {
  readonly is = 'startsWith'
  readonly name: string
  /** The codes of the last text's prefixes, by length. A length that the text does not have has a code of length 0. */
  readonly codes = new Int32Array(codedMax + 1)
  readonly #read: (raw: Raw) => string | undefined
  #raw: Raw | undefined
  #text: string | undefined

  constructor(name: string, read: (raw: Raw) => string | undefined) {
    this.name = name
    this.#read = read
  }

  /** The text in lower case; undefined if the value has none, so that it begins with nothing. */
  read(raw: Raw): string | undefined {
    if (raw === this.#raw) return this.#text
    this.#raw = raw
    this.#text = this.#read(raw)
    if (this.#text !== undefined) codePrefixes(this.#text, this.codes)
    return this.#text
  }

  /** Two prefixes may share a code, so a caller must also compare the texts. */
  codeOf(prefix: string): number {
    return codeOfPrefix(prefix)
  }
}

function codeOfPrefix(prefix: string): number {
  const length = Math.min(prefix.length, codedMax)
  let hash = 0
  for (let at = 0; at < length; at++) hash = Math.imul(hash ^ prefix.charCodeAt(at), prime)
  return (hash & ~codedMax) | length
}

function codePrefixes(text: string, codes: Int32Array): void {
  let hash = 0
  for (let length = 1; length <= codedMax; length++) {
    if (length <= text.length) hash = Math.imul(hash ^ text.charCodeAt(length - 1), prime)
    codes[length] = length <= text.length ? (hash & ~codedMax) | length : 0
  }
}
