/** The input of one run: a decoded ERC-20 transfer, as the follow loop delivers it. */
export function transferItem(index: number) {
  const params = { from: `0x${'AA'.repeat(20)}`, to: `0x${'BB'.repeat(20)}`, value: '5000000000000000000' }
  return {
    nowMs: 1_700_000_000_000,
    inputs: { wallet: `0x${'ab'.repeat(20)}` },
    source: {
      address: `0x${'cd'.repeat(20)}`,
      blockNumber: 20_000_000,
      blockHash: `0x${'ef'.repeat(32)}`,
      blockTimestamp: 1_700_000_000,
      transactionHash: `0x${index.toString(16).padStart(64, '0')}`,
      transactionIndex: index,
      index,
      data: `0x${'0'.repeat(64)}`,
      topics: [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`, `0x${'33'.repeat(32)}`],
      event: 'Transfer',
      args: Object.values(params),
      params,
    },
  }
}
