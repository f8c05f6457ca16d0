import * as z from 'zod'
import { AlertPolicy, AlertState, PolicyValue } from './alerts.ts'
import { Time } from './base/common.ts'
import { Policy } from './triggers/policies/index.ts'

/** `key` is one of the keys that have values; without it, the one with the newest value. */
export const PolicyPreviewRequest = z.object({ policy: Policy, key: z.string().max(300).optional() })

/** What a policy would have told of the values that are stored for a subscription. */
export const PolicyPreview = z
  .object({
    values: z.array(PolicyValue).describe('The stored values, oldest first, with the bound of the policy.'),
    alerts: z
      .array(
        z.object({
          at: Time,
          state: AlertState.nullable().describe('Null for an alert that never resolves.'),
          policy: AlertPolicy.nullable(),
        }),
      )
      .describe('What the policy would have told, oldest first.'),
    key: z.string().describe('The key whose values these are.'),
    keys: z.array(z.string()).describe('The keys that have values, at most 100, the newest first.'),
    issue: z.string().optional().describe('Why there is nothing to show.'),
  })
  .meta({ id: 'PolicyPreview' })
