import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate } from '../server/src/store/core/migrate.ts'
import { type Receiver, startReceiver } from './harness/deliveries.ts'
import { until } from './harness/following.ts'
import { checkedClient, customSource, harness, project, resource, subscription, trigger } from './harness/index.ts'
import { readLandedStore, recordLandedStore, writeRows } from './harness/landed-store.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { emitter } from './nodes/evm-contracts.ts'
import { run, withDatabase } from './setup/postgres.ts'

const variables = {
  ROLE: 'all',
  SECRET_KEY: 'upgrade '.repeat(5),
  ALLOW_PRIVATE_NETWORKS: 'on',
  // The recorded alert grows old.
  RETENTION_ALERTS_DAYS: '36500',
} as const
let receiver: Receiver
let node: EvmNode
let contract: string

beforeAll(async () => {
  receiver = await startReceiver()
  node = await startEvmNode()
  await setTime(0)
  contract = await node.deploy(emitter(1))
})
afterAll(async () => {
  receiver.close()
  await node.close()
})

/** The blocks have given times, so the chain of every run begins with the blocks of the recorded store. */
const setTime = (block: number) => node.request('evm_setNextBlockTimestamp', [1_750_000_000 + 60 * block])

async function emit(block: number): Promise<void> {
  await setTime(block)
  await node.send({ to: contract, data: `0x${block.toString(16).padStart(64, '0')}` })
}

const logs = (word: number) => ({
  trigger: 'acme.p.logs',
  message: { title: `Log 0x${word.toString(16).padStart(64, '0')}` },
})
const ofLogs = { trigger: 'acme.p.logs' }
const received = () => receiver.received.map(({ body }) => JSON.parse(body).data)
const untilReceived = (name: string) =>
  until(
    async () => received(),
    (alerts) => alerts.some(({ trigger }) => trigger === name),
  )
const source = (mode: 'create' | 'update') => customSource('acme.evm', { mode, endpoints: [node.url] })
const hook = () => resource('acme.hook', { data: { url: receiver.url } })

test('a migration that has landed never changes', () => {
  const landed = JSON.parse(readFileSync(join(import.meta.dirname, 'landed-migrations.json'), 'utf8'))
  const folder = join(import.meta.dirname, '../server/src/store/migrations')
  const texts = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const)
  const hashes = texts.map(([file, text]) => [file, createHash('sha256').update(text).digest('hex')])
  expect(Object.fromEntries(hashes)).toEqual(landed)
  // What a migration imported could change without it.
  expect(texts.filter(([, text]) => /from '\./.test(text)).map(([file]) => file)).toEqual([])
})

const isRecording = process.env.LANDED_STORE === 'record'

/**
 * `LANDED_STORE=record npm test -- tests/upgrade.test.ts` records the rows again. Do it before you add a migration, so that they
 * are those of the last landed one, and format the file with Biome.
 */
test.runIf(isRecording)('a service writes the store that is upgraded', async () => {
  const house = await harness(variables)
  const owner = await house.person('owner')
  const { token } = await owner.createToken({ body: { name: 'upgrade' } })
  await owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await owner.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await owner.saveResource({ fullname: 'acme.hook', body: hook() })
  await owner.saveCustomSource({ fullname: 'acme.evm', body: source('create') })
  const triggerSpec = { type: 'evm_log', dataSource: 'acme.evm', topicsCount: 1 } as const
  const transform = '({ word: source.topics[0] })'
  const defaults = { title: 'Log {{raw.word}}' }
  await owner.saveTrigger({
    fullname: 'acme.p.logs',
    body: trigger('acme.p.logs', { triggerSpec, transform, defaults }),
  })
  await owner.saveTrigger({ fullname: 'acme.p.tick', body: trigger('acme.p.tick') })
  for (const name of ['acme.p.logs', 'acme.p.tick'])
    await owner.createSubscription({ body: subscription(name, { resources: ['acme.hook'] }) })
  await until(
    () => owner.getCustomSource({ fullname: 'acme.evm' }),
    ({ runtime }) => runtime?.processedBlock !== undefined,
  )
  await emit(1)
  await until(
    () => owner.listAlerts({ query: ofLogs }),
    ([alert]) => alert?.status === 'delivered',
  )
  await house.service.stop()
  await recordLandedStore(house.databaseUrl, token)
  await house.close()
})

test.skipIf(isRecording)(
  'a store of the last landed migration comes up on the current code, and its triggers run on',
  async () => {
    const name = `upgrade_${randomBytes(4).toString('hex')}`
    await run(inject('postgresUrl'), `create database ${name}`)
    const url = withDatabase(inject('postgresUrl'), name)
    const store = readLandedStore()
    await migrate(url, store.migration)
    await writeRows(url, store)
    const house = await harness({ ...variables, DATABASE_URL: url })
    const owner = checkedClient(house.url, store.token)
    expect(await owner.listAlerts({ query: ofLogs })).toMatchObject([
      { ...logs(1), status: 'delivered', source: 'acme.evm' },
    ])
    await owner.saveResource({ fullname: 'acme.hook', body: hook() })
    house.clock.advance(60_000)
    await untilReceived('acme.p.tick')
    await emit(1)
    await owner.saveCustomSource({ fullname: 'acme.evm', body: source('update') })
    await emit(2)
    await untilReceived('acme.p.logs')
    expect(received().filter(({ trigger }) => trigger === 'acme.p.logs')).toMatchObject([logs(2)])
    await house.close()
    await run(inject('postgresUrl'), `drop database ${name} with (force)`)
  },
)
