/** `balances` and `Balances`, `transferKeepAlive` and `TransferKeepAlive` are equal, because clients differ in the first letter. */
export function foldName(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

export function isSameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b)
}

/** `transfer_keep_alive` and `transferKeepAlive` are equal: the chain writes the first, clients in JavaScript the second. */
export function foldCall(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

export function isSameCall(a: string, b: string): boolean {
  return foldCall(a) === foldCall(b)
}
