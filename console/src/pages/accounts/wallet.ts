import { api } from '../../data/api.ts'

/** The wallet that a browser extension offers (EIP-1193). */
type Wallet = { request(call: { method: string; params?: unknown[] }): Promise<unknown> }

export function hasWallet(): boolean {
  return findWallet() !== undefined
}

function findWallet(): Wallet | undefined {
  const { ethereum } = window as { ethereum?: Wallet }
  return typeof ethereum?.request === 'function' ? ethereum : undefined
}

export type SignedMessage = { message: string; signature: string }

/** Asks the wallet to sign a message of the service. */
export async function signMessage(): Promise<SignedMessage> {
  const wallet = findWallet()
  const accounts = await wallet?.request({ method: 'eth_requestAccounts' })
  const address = Array.isArray(accounts) ? String(accounts[0] ?? '') : ''
  if (!wallet || address === '') throw new Error('The wallet offers no account.')
  const { message } = await api.createWalletMessage({ body: { address } })
  const signature = await wallet.request({ method: 'personal_sign', params: [hexOf(message), address] })
  return { message, signature: String(signature) }
}

function hexOf(text: string): string {
  const bytes = [...new TextEncoder().encode(text)]
  return `0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
