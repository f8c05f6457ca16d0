import { randomUUID } from 'node:crypto'
import pg from 'pg'

type Given = {
  subscriptionId: string
  trigger: string
  at: Date
  status?: string
  severity?: string
  state?: 'firing' | 'resolved'
  title?: string
  /** The status of its delivery to the resource. A pending alert has a delivery. */
  delivery?: { resource: string; status: string }
}

/** Inserts an alert as the evaluate loop records it, for tests that only read alerts. */
export async function addAlert(databaseUrl: string, given: Given): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const id = `al_${randomUUID()}`
  const trace = { item: { n: 1 }, inputs: {}, providers: {}, activated: true, raw: { n: 1 }, human: { n: '1' } }
  await client.query(
    `insert into alerts (id, subscription_id, account_id, workspace_id, project_id, trigger_id, project, trigger,
       status, severity, state, item_at, message, trace, created_at, updated_at)
     select $1, s.id, s.account_id, s.workspace_id, s.project_id, s.trigger_id, p.fullname, $3, $4, $8, $9, $5, $6, $7, $5, $5
     from subscriptions s join projects p on p.id = s.project_id where s.id = $2`,
    [
      ...[
        id,
        given.subscriptionId,
        given.trigger,
        given.status ?? 'delivered',
        given.at,
        { title: given.title ?? 'Told' },
        trace,
      ],
      ...[given.severity ?? 'info', given.state ?? null],
    ],
  )
  const { resource, status } = given.delivery ?? { resource: 'gone', status: 'pending' }
  if (given.delivery ?? given.status === 'pending')
    await client.query(
      `insert into deliveries (id, alert_id, resource_id, resource, blueprint, status, due_at, created_at, updated_at)
       values ('dl_' || $1, $1, (select id from resources where fullname = $2), $2, 'common.delivery.webhook', $3, $4, $4, $4)`,
      [id, resource, status, given.at],
    )
  await client.end()
  return id
}
