import * as Ens from 'ox/Ens'
import { expect, test } from 'vitest'
import type { ChainReads } from './chain-reads.ts'
import { resolveEnsName } from './ens.ts'

/** The node of a name, as the registry is asked for it. */
async function nodeOf(name: string): Promise<string | undefined> {
  const asked: string[] = []
  const call: ChainReads['call'] = async (_to, data) => {
    asked.push(data)
    return undefined
  }
  const unused = async () => {
    throw new Error('only calls are expected')
  }
  const reads = { chainId: unused, head: unused, code: unused, balance: unused, storage: unused, logs: unused }
  await resolveEnsName({ ...reads, block: unused, call }, name)
  return asked[0]?.slice(10)
}

test.each(['vitalik.eth', 'Vitalik.ETH', 'a-b.sub.eth', '0x12.addr.reverse', 'ñandú.eth', '🦊.eth'])(
  'the node of %s is that of the standard',
  async (name) => {
    expect(await nodeOf(name)).toBe(Ens.namehash(Ens.normalize(name)).slice(2))
  },
)

test.each(['', 'a..eth', 'xn--a.eth', 'a b.eth', 'a_b.eth'])('%s is no name', async (name) => {
  expect(await nodeOf(name)).toBeUndefined()
})
