import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Harness } from './index.ts'

/** A wallet with a new key. `sign` asks the service for a message and signs it. */
export function makeWallet() {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const signText = async (message: string) => ({ message, signature: await wallet.signMessage({ message }) })
  return {
    address: wallet.address,
    signText,
    sign: async ({ nobody }: Pick<Harness, 'nobody'>) => {
      const { message } = await nobody.createWalletMessage({ body: { address: wallet.address } })
      return signText(message)
    },
  }
}
