/** The ABI helpers of scripts: `decodeFunction`, `decodeLog` and `encodeFunction`. */

import { makeAbiReader } from './guest-abi.ts'
import { addAbiHelpers } from './guest-abi-helpers.ts'
import { makeCodec } from './guest-codec.ts'

const names = /\b(?:decodeFunction|decodeLog|encodeFunction)\b/

export function mentionsAbiHelpers(source: string): boolean {
  return names.test(source)
}

/**
 * Adds the helpers to the code of one script. Only scripts that mention a helper carry its code, because the memory of
 * every loaded script is restored before each call. `usesHash` asks for the hash as a second argument. The code is behind the script, so that positions in the script stay.
 */
export function withAbiHelpers(code: string): string {
  const makers = [makeAbiReader, makeCodec].map((make) => `(${make})()`).join(', ')
  const firstLine = code.split('\n').length + 1
  const withHash = 'Object.assign((context, hash) => script(extend(context, hash)), { usesHash: true })'
  return `((script, extend) => ${withHash})${code.replace(/\)$/, '')},
(${addAbiHelpers})(${firstLine}, ${makers}))`
}
