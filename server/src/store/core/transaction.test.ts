import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { run, withDatabase } from '../../../../tests/setup/postgres.ts'
import { type OpenStore, openStore } from '../index.ts'
import { makeSecretBox } from './secret-box.ts'

const database = `tocsin_${randomBytes(6).toString('hex')}`
let store: OpenStore

beforeAll(async () => {
  await run(inject('postgresUrl'), `create database ${database} template ${inject('templateDatabase')}`)
  store = openStore(withDatabase(inject('postgresUrl'), database), makeSecretBox(Buffer.alloc(32, 7)), {
    connectionsMax: 2,
  })
})
afterAll(async () => {
  await store.close()
  await run(inject('postgresUrl'), `drop database ${database} with (force)`)
})

const lost = () => Promise.reject(new Error('lost'))

test('work inside a transaction that fails and is caught takes back its own writes alone', async () => {
  await store.tx(async (store) => {
    await store.settings.addOnce('outer', 'kept')
    const inner = store.tx(async (store) => {
      await store.settings.addOnce('inner', 'lost')
      return lost()
    })
    await expect(inner).rejects.toThrow('lost')
  })
  expect(await store.settings.find('outer')).toBe('kept')
  expect(await store.settings.find('inner')).toBeUndefined()
})

test('a failure after a caught one takes back all of its own work, not only what came after the caught one', async () => {
  await store.tx(async (store) => {
    const middle = store.tx(async (store) => {
      await store.settings.addOnce('middle', 'lost')
      await expect(store.tx(lost)).rejects.toThrow('lost')
      return lost()
    })
    await expect(middle).rejects.toThrow('lost')
  })
  expect(await store.settings.find('middle')).toBeUndefined()
})
