import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asked, askEverything, type Kind, withNode } from '../harness/ask-nodes.ts'
import { customSource, type Harness, harness, type Person } from '../harness/index.ts'
import { type BadAnswer, brokenNodes, senselessNodes } from '../nodes/bad-answers.ts'
import { startEvmNode } from '../nodes/evm.ts'
import { faultyEndpoint } from '../nodes/faulty-endpoint.ts'
import type { ScriptedNode } from '../nodes/scripted-node.ts'

/** Every fault of a node gives a reply with issues, in time, and never an error of the service. */
let patient: House
let hasty: House
/** Several accounts, because each may run only a few tests at once. */
type House = Harness & { callMs: number; people: [[Kind, Person], ...[Kind, Person][]] }

beforeAll(async () => {
  patient = await open(8000)
  hasty = await open(700)
})
afterAll(async () => {
  for (const { logs, close } of [patient, hasty]) {
    await close()
    expect(logs.join('\n')).not.toMatch(/"statusCode":5\d\d|"level":50/)
    expect(logs.join('\n')).not.toContain('secret')
  }
})

async function open(callMs: number): Promise<House> {
  const times = { SOURCE_TIMEOUT_MS: String(callMs), RATE_TESTS_PER_MINUTE: '100000' }
  const house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on', ...times })
  const { owner, admin, developer } = await house.team('acme')
  const people: House['people'] = [
    ['evm', owner],
    ['substrate', admin],
    ['solana', developer],
  ]
  return Object.assign(house, { callMs, people })
}

const withKey = ({ host }: ScriptedNode) => `http://me:secret@${host}/v3/secret?key=secret`

function askAll({ people, callMs }: House, says: BadAnswer['says'], addressOf: (node: ScriptedNode) => string) {
  return withNode(says, (node) =>
    Promise.all(
      people.map(
        async ([kind, who]): Promise<[Kind, Asked]> => [
          kind,
          await askEverything(who, kind, [addressOf(node)], callMs),
        ],
      ),
    ),
  )
}

test.each(brokenNodes)('a node that answers $name leads to a readable issue', async ({ says, told, isSlow }) => {
  const house = isSlow ? hasty : patient
  for (const [kind, { routes, raw }] of await askAll(house, says, withKey))
    for (const { route, ...outcome } of [...routes, ...raw]) {
      expect(outcome, `${kind} ${route}`).toMatchObject({ isGood: false, said: expect.stringMatching(told) })
      expect(outcome.said, `${kind} ${route}`).not.toContain('secret')
    }
})

test.each(senselessNodes)('a node that answers %s to every call leads to a readable issue', async (_, says) => {
  for (const [kind, { routes, raw }] of await askAll(patient, says, withKey)) {
    for (const { route, ...outcome } of routes) {
      const words = expect.stringMatching(/[a-z]{2,} [a-z]{2,}/)
      expect(outcome, `${kind} ${route}`).toMatchObject({ isGood: false, said: words })
      expect(outcome.said, `${kind} ${route}`).not.toContain('secret')
    }
    for (const { route, isGood } of raw) expect(isGood, `${kind} ${route}`).toBe(true)
  }
})

test('an issue says that a node belongs to another kind of chain', async () => {
  const says: BadAnswer['says'] = ({ id }) => ({ id, error: { code: -32601, message: 'Method not found' } })
  const names = { evm: 'no EVM node', substrate: 'no Substrate node', solana: 'no Solana node' }
  for (const [kind, { routes }] of await askAll(patient, says, ({ url }) => url))
    for (const { route, ...outcome } of routes)
      expect(outcome, `${kind} ${route}`).toMatchObject({ isGood: false, said: expect.stringContaining(names[kind]) })
})

const onSockets = brokenNodes.filter(({ name }) => ['a web page', 'text', 'a cut line', 'a hang'].includes(name))

test.each(onSockets)('a WebSocket that answers $name leads to a readable issue too', async ({ says, told, isSlow }) => {
  for (const [kind, { routes }] of await askAll(isSlow ? hasty : patient, says, ({ wsUrl }) => wsUrl))
    for (const { route, ...outcome } of routes)
      expect(outcome, `${kind} ${route}`).toMatchObject({ isGood: false, said: expect.stringMatching(told) })
})

test('a search at a slow node ends in time and reports how far it came', async () => {
  const { people, callMs } = hasty
  const [[, who]] = people
  const node = await startEvmNode()
  for (let empty = 0; empty < 80; empty += 1) await node.request('evm_mine')
  // The first blocks come at once, so that the search gets somewhere on a busy machine too.
  let calls = 0
  const slow = await faultyEndpoint(node.url, () => sleep(calls++ < 24 ? 0 : callMs / 2, undefined))
  const fullname = 'acme.slow'
  await who.saveCustomSource({ fullname, body: customSource(fullname, { kind: 'evm', endpoints: [slow.url] }) })
  const triggerSpec = { type: 'evm_log', dataSource: fullname }
  const found = await who.findLatestBlock({ body: { triggerSpec, maxBlocks: 1000 } })
  const issues = [{ message: expect.stringMatching(/answered too slowly|did not answer within/) }]
  expect(found).toMatchObject({ valid: false, issues, matched: false, latestBlock: 80 })
  expect(found.checkedBlocks).toBeGreaterThan(0)
  expect(found.checkedBlocks).toBeLessThan(80)
  await slow.close()
  await node.close()
})

test('after all these nodes the service is ready', async () => {
  for (const { url } of [patient, hasty]) expect((await fetch(`${url}/api/health`)).status).toBe(200)
})
