// biome-ignore-all lint/style/useTemplate: QuickJS builds templates by a method call, which costs more
import type { ScriptNetwork } from './script-network.ts'

type Base = {
  formatUnits(value: unknown, decimals: number): string
  parseUnits(value: unknown, decimals: number): bigint
}
type Context = { helpers: object; network?: ScriptNetwork }
type Token = { symbol: string | null; decimals: number }

/**
 * Returns the function that adds the helpers for amounts and links to the context of a call. The sandbox gets it as source
 * text, with `showAmount` of the contract. The helpers show the same as those of templates; a value that they cannot show stays unchanged.
 */
export function addAmountHelpers(showAmount: (text: string, digits?: number, fixed?: number) => string) {
  const placesMax = 80
  const isNumber = (value: unknown): boolean =>
    typeof value === 'bigint' || /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(String(value).trim())

  const grouped = (plain: string): string => {
    const [whole = '', fraction] = plain.split('.')
    const text = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
    return fraction === undefined ? text : text + '.' + fraction
  }

  const rounded = (base: Base, value: unknown, places: number): string =>
    base.formatUnits(base.parseUnits(String(value), places), places)

  const number = (base: Base) => (value: unknown, digits: unknown) => {
    if (!isNumber(value)) return value
    if (digits === undefined) return showAmount(rounded(base, value, placesMax))
    return grouped(rounded(base, value, Math.trunc(Math.min(Math.max(Number(digits) || 0, 0), placesMax))))
  }

  const usd = (base: Base) => (value: unknown) => {
    if (!isNumber(value)) return value
    const text = showAmount(rounded(base, value, placesMax), 2, 2)
    return text.startsWith('-') ? '-$' + text.slice(1) : '$' + text
  }

  const isToken = (value: unknown): value is Token =>
    typeof value === 'object' && value !== null && typeof (value as Token).decimals === 'number'

  const tokenOf = (network: ScriptNetwork | undefined, token: unknown): Token | undefined => {
    if (isToken(token)) return token
    if (token === 'native') return network?.native
    if (token === undefined) return network?.token
    return undefined
  }

  const token = (base: Base, network: ScriptNetwork | undefined) => (amount: unknown, of: unknown) => {
    const found = tokenOf(network, of)
    if (!found || !/^-?\d+$/.test(String(amount))) return amount
    const text = showAmount(base.formatUnits(String(amount), found.decimals))
    return found.symbol ? text + ' ' + found.symbol : text
  }

  /** The plain number, for programs. Of a token that is not known, `decimals` counts; without it the number is not known. */
  const tokenUnits = (base: Base, network: ScriptNetwork | undefined) => (amount: unknown, decimals: unknown) => {
    const known = network?.token ? network.token.decimals : decimals
    if (typeof known !== 'number' || !/^-?\d+$/.test(String(amount))) return null
    return base.formatUnits(String(amount), known)
  }

  const explorer = (network: ScriptNetwork | undefined) => (value: unknown) => {
    const pages = network?.explorer
    const block = typeof value === 'object' && value !== null ? (value as { number?: unknown; slot?: unknown }) : {}
    const text = String(block.number ?? block.slot ?? value)
    if (!pages) return null
    const page = pages.find(({ pattern }) => new RegExp(pattern, 'i').test(text))
    return page ? page.before + text + page.after : null
  }

  return (context: Context): Context => {
    const { network } = context
    delete context.network
    const base = context.helpers as Base
    const added = {
      number: number(base),
      usd: usd(base),
      token: token(base, network),
      tokenUnits: tokenUnits(base, network),
      explorer: explorer(network),
    }
    for (const helper of Object.values(added)) Object.freeze(helper)
    context.helpers = Object.freeze({ ...context.helpers, ...added })
    return context
  }
}
