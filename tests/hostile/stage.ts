import type { SourceKind } from '@tocsin/contract'
import { createClient } from '@tocsin/sdk'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Harness, harness } from '../harness/index.ts'
import { type HostileNodes, startHostileNodes } from './node-attacks.ts'
import { runAttacks } from './run-attacks.ts'
import { prepareVictims, type Victims } from './victims.ts'

/** A service with a workspace of attackers, and nodes that turn hostile. */
export type Stage = { house: Harness; nodes: HostileNodes; victims: Victims }

/** For the whole file of a test. */
export function useStage(): () => Stage {
  let stage: Stage | undefined
  beforeAll(async () => {
    const nodes = await startHostileNodes()
    const house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on', RATE_TESTS_PER_MINUTE: '1000000' })
    stage = { house, nodes, victims: await prepareVictims(house.url, await house.person('owner'), nodes.urls) }
  })
  afterAll(async () => {
    await stage?.house.close()
    await stage?.nodes.close()
  })
  return () => {
    if (!stage) throw new Error('the stage is not ready')
    return stage
  }
}

/** Before they are hostile, so that the requests reach what they attack. */
export async function expectGoodNodes({ house, nodes, victims: { tokens } }: Stage): Promise<void> {
  const attacker = createClient({ baseUrl: house.url, token: tokens[0] ?? '' })
  for (const [kind, url] of Object.entries(nodes.urls) as [SourceKind, string][]) {
    const body = { workspace: 'acme', name: 'x', kind, endpoints: [url] }
    expect(await attacker.verifyCustomSource({ body })).toMatchObject({ ok: true })
  }
}

/** Each attack gets an answer within the limits or a refusal with a code, and the service still answers. */
export async function expectNoFault(
  { house, victims }: Stage,
  attacks: Parameters<typeof runAttacks>[2],
): Promise<void> {
  const faults: string[] = []
  let played = 0
  await runAttacks(house.url, victims.tokens, attacks, (result) => {
    played += 1
    faults.push(...result.faults.map((fault) => `${result.name}: ${fault}`))
  })
  expect(faults).toEqual([])
  expect(played).toBe(attacks.length)
  expect(await house.nobody.getHealth()).toMatchObject({ status: 'ok' })
}
