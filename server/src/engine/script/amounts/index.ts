/** The helpers of scripts that show amounts and links: `number`, `usd`, `token`, `tokenUnits` and `explorer`. */
import { showAmount } from '@tocsin/contract'
import { addAmountHelpers } from './guest-amount-helpers.ts'

export type { ScriptNetwork } from './script-network.ts'

const calls = /\b(?:number|usd|token|tokenUnits|explorer)\s*\(/
const networkCalls = /\b(?:token|tokenUnits|explorer)\s*\(/

export function mentionsAmountHelpers(source: string): boolean {
  return calls.test(source)
}

/** True if the script may ask for the network, which costs a look-up. */
export function mentionsNetwork(source: string): boolean {
  return networkCalls.test(source)
}

/** Adds the helpers to the code of one script, behind the script, so that positions in the script stay. */
export function withAmountHelpers(code: string): string {
  const wrapped = '((script, extend) => (context) => script(extend(context)))'
  return `(${wrapped}${code.replace(/\)$/, '')},\n(${addAmountHelpers})(${showAmount})))`
}
