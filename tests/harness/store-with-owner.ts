import pg from 'pg'
import { makeSecretBox } from '../../server/src/store/core/secret-box.ts'
import { type OpenStore, openStore } from '../../server/src/store/index.ts'
import { takeDatabase } from './database.ts'

/** A store and a client of its database, with the account `a` and these workspaces. */
export type StoreWithOwner = { store: OpenStore; db: pg.Client; close(): Promise<void> }

export async function openStoreWithOwner(...workspaceIds: string[]): Promise<StoreWithOwner> {
  const { url, giveBack } = await takeDatabase()
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  const store = openStore(url, makeSecretBox(Buffer.alloc(32, 7)), { connectionsMax: 2 })
  await db.query(`insert into accounts (id, email, email_key, name, created_at, updated_at)
    values ('a', 'a@b', 'a@b', 'Ann', now(), now())`)
  await db.query(
    `insert into workspaces (id, fullname, tags, labels, meta, invite, invite_hash, created_at, updated_at)
     select id, id, '[]', '{}', '{}', '', '', now(), now() from unnest($1::text[]) as ids (id)`,
    [workspaceIds],
  )
  const close = async () => {
    await store.close()
    await db.end()
    await giveBack()
  }
  return { store, db, close }
}
