import type pg from 'pg'
import { makeSecretBox } from '../../server/src/store/core/secret-box.ts'
import { findSecretKey } from '../../server/src/store/core/secret-key.ts'

/**
 * Copies the webhook `bench.hook` and its subscription, one copy for each URL, with the numbers from `from` on. Saving
 * ten thousand of them over the API would take longer than the measurement. `conditionsOf` gives the conditions of a copy.
 */
export async function seedWebhooks(
  database: pg.Client,
  dataDir: string,
  from: number,
  urls: readonly string[],
  conditionsOf: (at: number) => object | null = () => null,
): Promise<void> {
  const key = findSecretKey(undefined, dataDir)
  if (!key) throw new Error('The service has no secret key.')
  const box = makeSecretBox(key)
  const copies = urls.map((url, at) => ({
    name: `h${from + at}`,
    data: box.sealJson({ url, secret: 's' }).toString('hex'),
    conditions: conditionsOf(from + at),
  }))
  const copied = `json_to_recordset($1) as c (name text, data text, conditions json)`
  await database.query(
    `with new_resources as (
       insert into resources (id, workspace_id, name, fullname, blueprint, ready, data, tags, labels, meta, created_at, updated_at)
       select 'r-' || c.name, workspace_id, c.name, 'bench.' || c.name, blueprint, ready, decode(c.data, 'hex'), tags, labels,
         meta, created_at, updated_at
       from resources, ${copied} where fullname = 'bench.hook'),
     new_subscriptions as (
       insert into subscriptions (id, account_id, workspace_id, project_id, trigger_id, inputs, conditions, meta, created_at, updated_at)
       select 's-' || c.name, account_id, workspace_id, project_id, trigger_id, inputs, c.conditions, meta, created_at,
         updated_at
       from subscriptions, ${copied} where id not like 's-h%')
     insert into subscription_resources (subscription_id, resource_id, position)
     select 's-' || c.name, 'r-' || c.name, 0 from ${copied}`,
    [JSON.stringify(copies)],
  )
}
