import './harness/made-up-chain.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receiver } from './harness/deliveries.ts'
import { until } from './harness/following.ts'
import { houseWithHook } from './harness/house-with-hook.ts'
import { customSource, type Harness, type Person, rejects, subscription, trigger } from './harness/index.ts'
import { noteSpec, startNoteNode } from './harness/made-up-chain.ts'
import { authorType, notesKind } from './harness/made-up-kind.ts'

let house: Harness
let ann: Person
let receiver: Receiver
let node: Awaited<ReturnType<typeof startNoteNode>>

beforeAll(async () => {
  ;({ house, ann, receiver } = await houseWithHook())
  node = await startNoteNode()
  await ann.saveCustomSource({
    fullname: 'acme.notes',
    body: customSource('acme.notes', { kind: notesKind, endpoints: [node.url] }),
  })
})
afterAll(async () => {
  await house.close()
  receiver.close()
  node.close()
})

const spec = noteSpec({ dataSource: 'acme.notes', author: 'author-ann' })
const filtersSchema = { words: { type: 'integer', sourcePath: 'words' } }
const transform = '({ by: source.author, words: source.words })'
const body = trigger('acme.p.notes', {
  triggerSpec: spec,
  transform,
  defaults: { title: '{{raw.by}} wrote {{raw.words}} words' },
  filtersSchema,
} as never)

test('a chain that is written against the interface alone is checked, tested, matched and delivered', async () => {
  const wrong = trigger('acme.p.notes', {
    triggerSpec: noteSpec({ dataSource: 'acme.notes', author: 'nobody' }),
  } as never)
  expect(await ann.validateTriggerDraft({ fullname: 'acme.p.notes', body: wrong })).toMatchObject({
    valid: false,
    issues: [{ path: 'triggerSpec.author', message: 'must name an author' }],
  })

  const tested = node.produce({ author: 'author-bob', words: 3 }, { author: 'author-ann', words: 12 })
  const parts = { triggerSpec: spec, providers: [], transform, outputSchema: null }
  expect(await ann.testTriggerBlock({ body: { ...parts, block: tested } })).toMatchObject({
    valid: true,
    sourceEventsCount: 1,
    output: { raw: { by: 'author-ann', words: 12 } },
  })

  // A block that is read after the subscription was made may match, so the tested one must have been read before.
  await until(
    () => ann.getCustomSource({ fullname: 'acme.notes' }),
    ({ status, runtime }) => status.status === 'running' && (runtime?.processedBlock ?? -1) >= tested,
  )
  await ann.saveTrigger({ fullname: 'acme.p.notes', body })
  const conditions = { param: 'words', op: 'gte', value: 10 } as const
  await ann.createSubscription({ body: subscription('acme.p.notes', { conditions, resources: ['acme.hook'] }) })
  node.produce({ author: 'author-ann', words: 9 }, { author: 'author-bob', words: 90 })
  node.produce({ author: 'author-ann', words: 10 })
  await until(
    async () => receiver.received.length,
    (count) => count > 0,
  )
  const titles = receiver.received.map(({ body }) => JSON.parse(body).data.message.title)
  expect(titles).toEqual(['author-ann wrote 10 words'])
})

test('the lists of the API have the chain: its description, its starting points and its networks', async () => {
  const { chains } = await ann.listChains()
  expect(chains.at(-1)).toMatchObject({ kind: 'notes', title: 'Notes', specs: [{ type: 'note', title: 'Note' }] })
  const { actions } = await ann.listCoreActions()
  expect(actions.filter(({ kind }) => kind === notesKind).map(({ type }) => type)).toEqual(['note_written'])
  const sources = await ann.listRuntimeSources()
  expect(sources.find(({ fullname }) => fullname === 'common.notes')).toMatchObject({ kind: 'notes', title: 'Notes' })
})

test('look-ups of another chain say which source they need, and names of authors come from the address book', async () => {
  await rejects(
    ann.findEvmAbi({ body: { source: 'acme.notes', contract: '0x28C6c06298d514Db089934071355E5743bf21d60' } }),
    {
      code: 'invalid_payload',
      details: { issues: [{ path: 'source', message: 'is a Notes source. Choose an EVM source' }] },
    },
  )
  await ann.createAddress({ body: { type: authorType, address: 'author-ann', alias: 'Ann' } })
  const body = { source: 'acme.notes', addresses: ['author-ann', 'author-bob'] }
  expect(await ann.findAddressNames({ body })).toEqual([{ address: 'author-ann', name: 'Ann', from: 'address-book' }])
})
