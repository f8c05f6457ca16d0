import * as z from 'zod'
import { DateTime, ListQuery, Time } from './base/common.ts'

export const AuditEntry = z
  .object({
    id: z.string(),
    at: Time,
    actor: z.object({ id: z.string(), name: z.string() }).meta({
      description: 'the account; its name at that time. The id `link` is a person without an account who had a link',
    }),
    action: z.string().meta({ description: 'kind and verb, such as trigger.save' }),
    kind: z.string(),
    fullname: z.string().meta({ description: 'the fullname of the entity, or its id if it has none' }),
    paths: z.array(z.string()).meta({ description: 'the fields that changed, at most 100; never their values' }),
    ip: z.string(),
  })
  .meta({ id: 'AuditEntry' })

export const AuditQuery = ListQuery.extend({
  actor: z.string().max(256).optional().meta({ description: 'the id of an account' }),
  action: z.string().max(64).optional().meta({ description: 'such as trigger.save' }),
  before: z
    .union([DateTime, z.uuid()], { error: 'must be a time, such as 2026-01-31T12:00:00Z, or the id of an entry' })
    .optional()
    .meta({ description: 'only entries before this time, or before the entry with this id' }),
})
