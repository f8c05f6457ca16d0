/** The output of the triggers of an alert, as JavaScript. */
export type Outputs = {
  transaction(hash: string): string
  item(name: string): string
  value(fields: string): string
}

export function outputsOf(alert: string, chainId: string): Outputs {
  const about = `alert: ${JSON.stringify(alert)}, network: ${JSON.stringify(chainId)}`
  const hash = 'transactionHash: source.transactionHash'
  return {
    transaction: (own) =>
      `({ ${about}, transactionHash: ${own}, from: source.from, to: source.to, value: source.value })`,
    item: (name) => `({ ${about}, ${hash}, address: source.address, name: ${name}, params: source.params })`,
    value: (fields) => `({ ${about}, ${fields}, blockNumber: source.number })`,
  }
}
