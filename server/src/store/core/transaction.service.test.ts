import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, takeDatabase } from '../../../../tests/harness/database.ts'
import { type OpenStore, openStore } from '../index.ts'
import { makeSecretBox } from './secret-box.ts'

let database: TestDatabase
let store: OpenStore

beforeAll(async () => {
  database = await takeDatabase()
  store = openStore(database.url, makeSecretBox(Buffer.alloc(32, 7)), { connectionsMax: 2 })
})
afterAll(async () => {
  await store.close()
  await database.giveBack()
})

const lost = () => Promise.reject(new Error('lost'))

test('a caught failure inside a transaction rolls back its own writes only', async () => {
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

test('a failure after a caught one rolls back all its own writes, also those before the caught one', async () => {
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
