import { afterAll, beforeAll, expect, test } from 'vitest'
import { chains, type ListedChain } from '../server/src/engine/sources/chains.ts'
import type { Receiver } from './harness/deliveries.ts'
import { until } from './harness/following.ts'
import { houseWithHook } from './harness/house-with-hook.ts'
import { customSource, type Harness, type Person, subscription, trigger } from './harness/index.ts'
import { madeUpChain, startNoteNode } from './harness/made-up-chain.ts'

let house: Harness
let ann: Person
let receiver: Receiver
let node: Awaited<ReturnType<typeof startNoteNode>>
let replaced: ListedChain | undefined

beforeAll(async () => {
  replaced = chains.get('solana')
  chains.set('solana', madeUpChain)
  ;({ house, ann, receiver } = await houseWithHook())
  node = await startNoteNode()
  await ann.saveCustomSource({
    fullname: 'acme.notes',
    body: customSource('acme.notes', { kind: 'solana', endpoints: [node.url] }),
  })
})
afterAll(async () => {
  if (replaced) chains.set('solana', replaced)
  await house.close()
  receiver.close()
  node.close()
})

const spec = { type: 'solana_event', dataSource: 'acme.notes', programId: 'author-ann' } as const
const filtersSchema = { words: { type: 'integer', sourcePath: 'words' } }
const transform = '({ by: source.author, words: source.words })'
const body = trigger('acme.p.notes', {
  triggerSpec: spec,
  transform,
  defaults: { title: '{{raw.by}} wrote {{raw.words}} words' },
  filtersSchema,
} as never)

test('a chain that is written against the interface alone is checked, tested, matched and delivered', async () => {
  const wrong = trigger('acme.p.notes', { triggerSpec: { ...spec, programId: 'nobody' } } as never)
  expect(await ann.validateTriggerDraft({ fullname: 'acme.p.notes', body: wrong })).toMatchObject({
    valid: false,
    issues: [{ path: 'triggerSpec.programId', message: 'must name an author' }],
  })

  const tested = node.produce({ author: 'author-bob', words: 3 }, { author: 'author-ann', words: 12 })
  const parts = { triggerSpec: spec, providers: [], transform, outputSchema: null }
  expect(await ann.testTriggerBlock({ body: { ...parts, block: tested } })).toMatchObject({
    valid: true,
    sourceEventsCount: 1,
    output: { raw: { by: 'author-ann', words: 12 } },
  })

  await ann.saveTrigger({ fullname: 'acme.p.notes', body })
  const conditions = { param: 'words', op: 'gte', value: 10 } as const
  await ann.createSubscription({ body: subscription('acme.p.notes', { conditions, resources: ['acme.hook'] }) })
  const following = await until(
    () => ann.getCustomSource({ fullname: 'acme.notes' }),
    ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock !== undefined,
  )
  expect(following.status.status).toBe('running')
  node.produce({ author: 'author-ann', words: 9 }, { author: 'author-bob', words: 90 })
  node.produce({ author: 'author-ann', words: 10 })
  await until(
    async () => receiver.received.length,
    (count) => count > 0,
  )
  const titles = receiver.received.map(({ body }) => JSON.parse(body).data.message.title)
  expect(titles).toEqual(['author-ann wrote 10 words'])
})
