import { waitForTurn } from './event-loop-turns.ts'
import { parseExactJson, textEnd } from './exact-json.ts'
import { JsonStream, JsonTooLarge } from './json-stream.ts'

/** A text up to this length is parsed at once. */
export const atOnceCharsMax = 64 * 1024
/** So is a longer text with few values, because long texts in it cost little. */
const atOnceValuesMax = 100_000
/** More values need too much memory: each takes up to 100 bytes. */
export const valuesMax = 1_000_000
export const tooManyValues = `the answer has more than ${valuesMax} values`
/** Between two steps the event loop serves everybody else. A step takes at most some milliseconds. */
const [countedChars, parsedBytes] = [1024 * 1024, 16 * 1024]
const [quote, backslash, comma, openList, openObject] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/**
 * Parses foreign JSON of any size and shape without holding up the event loop. Values are as in `exact-json.ts`. Throws
 * `JsonTooLarge` beyond `valuesMax` values. A worker thread would not help: to receive its result costs more than to parse it.
 */
export async function parseForeignJson(text: string): Promise<unknown> {
  if (text.length <= atOnceCharsMax) return parseExactJson(text)
  const values = await countValues(text)
  if (values > valuesMax) throw new JsonTooLarge(tooManyValues)
  return values <= atOnceValuesMax ? parseExactJson(text) : parseInSteps(Buffer.from(text))
}

async function parseInSteps(bytes: Buffer): Promise<unknown> {
  const stream = new JsonStream({ take: (element) => element, keptBytesMax: Number.POSITIVE_INFINITY })
  for (let at = 0; at < bytes.length; at += parsedBytes) {
    await waitForTurn()
    stream.write(bytes.subarray(at, at + parsedBytes))
  }
  return stream.end()
}

/** The same count for a text that comes in pieces. */
export class ValueCounter {
  values = 0
  #isInText = false
  #isEscaped = false

  add(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; at++) {
      const code = piece[at]
      if (this.#isEscaped) this.#isEscaped = false
      else if (this.#isInText && code === backslash) this.#isEscaped = true
      else if (code === quote) this.#isInText = !this.#isInText
      else if (!this.#isInText && (code === comma || code === openList || code === openObject)) this.values++
    }
  }
}

/** Counts what opens or continues a list or object. Stops beyond the maximum. */
async function countValues(text: string): Promise<number> {
  let values = 0
  for (let at = 0, stepEnd = countedChars; at < text.length && values <= valuesMax; at++) {
    if (at >= stepEnd) {
      await waitForTurn()
      stepEnd = at + countedChars
    }
    const code = text.charCodeAt(at)
    if (code === quote) at = textEnd(text, at)
    else if (code === comma || code === openList || code === openObject) values++
  }
  return values
}
