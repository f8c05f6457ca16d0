/// <reference types="vite/client" />

/** Icons of tokens that come with the console, by symbol. */
const files: Readonly<Record<string, string>> = import.meta.glob('./tokens/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
})

/** Wrapped and bridged tokens have the icon of the token that they stand for. */
const standsFor: Readonly<Record<string, string>> = { weth: 'eth', 'usdc.e': 'usdc', usdbc: 'usdc', wsol: 'sol' }

/** The address of the icon of a token; undefined if the console has none. */
export function tokenIcon(symbol: string | undefined): string | undefined {
  const name = symbol?.toLowerCase() ?? ''
  return files[`./tokens/${standsFor[name] ?? name}.svg`]
}
