/** `balances` and `Balances`, `transferKeepAlive` and `TransferKeepAlive` are equal, because clients differ in the first letter. */
export function foldName(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

export function isSameName(a: string, b: string): boolean {
  return foldName(a) === foldName(b)
}
