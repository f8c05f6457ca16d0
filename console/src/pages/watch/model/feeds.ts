/** Chainlink price feeds that many people watch, by the CAIP-2 name of their network. */
const feeds: Record<string, { title: string; address: string }[]> = {
  'eip155:1': [
    { title: 'ETH / USD', address: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419' },
    { title: 'BTC / USD', address: '0xF4030086522a5bEEa4988F8cA5B36dbC97BeE88c' },
    { title: 'USDC / USD', address: '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6' },
    { title: 'stETH / USD', address: '0xCfE54B5cD566aB89272946F602D76Ea879CAb4a8' },
  ],
  'eip155:10': [{ title: 'ETH / USD', address: '0x13e3Ee699D1909E989722E753853AE30b17e08c5' }],
  'eip155:8453': [{ title: 'ETH / USD', address: '0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70' }],
  'eip155:42161': [{ title: 'ETH / USD', address: '0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612' }],
}

/** Built-in networks are known by their own names. */
const builtIn: Record<string, string> = {
  ethereum: 'eip155:1',
  optimism: 'eip155:10',
  base: 'eip155:8453',
  arbitrum: 'eip155:42161',
}

export function feedsOf(network: string): { title: string; address: string }[] {
  return feeds[builtIn[network] ?? network] ?? []
}
