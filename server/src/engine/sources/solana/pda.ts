import type { Provider } from '@tocsin/contract'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import { isSolanaAddress } from './address.ts'
import { seedBytes } from './seeds.ts'

type Pda = NonNullable<Extract<Provider, { type: 'solana_account' }>['pda']>

/** Derives the address that a program owns by these seeds. */
export async function deriveAddress({ programId, seeds }: Pda, ownProgramId: string | undefined): Promise<string> {
  const program = programId ?? ownProgramId
  if (program === undefined || !isSolanaAddress(program))
    throw new UpstreamError('refused', 'pda needs a programId that is a Solana address.')
  const { address, getProgramDerivedAddress } = await import('@solana/addresses')
  const bytes = seeds.map(({ type, value }, index) => seedBytes(type, value, `pda.seeds.${index}`))
  try {
    const [derived] = await getProgramDerivedAddress({ programAddress: address(program), seeds: bytes })
    return derived
  } catch {
    throw new UpstreamError('refused', 'No address can be derived from the seeds of pda; there may be 15 at most.')
  }
}
