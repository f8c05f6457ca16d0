import { createReadStream } from 'node:fs'

/** Only a newline ends a row. `readline` would also split at line separators inside a text. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1024 * 1024 })) {
    const [first, ...others] = String(chunk).split('\n')
    rest += first
    for (const line of others) {
      yield rest
      rest = line
    }
  }
}
