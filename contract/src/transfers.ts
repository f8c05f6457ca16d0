import * as z from 'zod'
import { Fullname, ListQuery, Stamped, Time } from './base/common.ts'

export const TransferStatus = z.enum(['pending', 'accepted', 'rejected', 'cancelled', 'expired', 'failed'])
export const TransferDirection = z.enum(['incoming', 'outgoing'])

export const TransferPlanRequest = z.object({ targetWorkspace: Fullname, targetName: z.string().max(64).optional() })
export const TransferCreate = TransferPlanRequest.extend({ expectedPlanHash: z.string().max(128).optional() })
export const TransferAction = z.object({ reason: z.string().max(2000).optional() })

const Place = z.object({ fullname: z.string(), workspace: z.string(), name: z.string() })
const Move = z.object({ from: z.string(), to: z.string() })
export const TransferConflict = z.object({
  code: z.enum([
    'target_workspace_not_found',
    'target_workspace_same',
    'target_project_exists',
    'target_resource_exists',
  ]),
  message: z.string(),
  entity: z.string().optional(),
})
export const TransferCounts = z.object({
  triggers: z.number().int(),
  templates: z.number().int(),
  resources: z.number().int(),
  subscriptions: z.number().int(),
  accessLinks: z.number().int(),
  aliases: z.number().int(),
  conflicts: z.number().int(),
})
export const ProjectTransferPlan = z
  .object({
    mode: z.literal('dry-run'),
    source: Place,
    target: Place,
    counts: TransferCounts,
    changes: z.object({
      project: Move,
      triggers: z.array(Move),
      resources: z.array(Move),
      templates: z.array(z.object({ id: z.string() })),
      /** Address lists that the project's conditions name; they are copied to the target workspace. */
      addressLists: z.array(Move).optional(),
      aliases: z.array(Move.extend({ kind: z.enum(['project', 'trigger', 'resource']) })),
    }),
    conflicts: z.array(TransferConflict),
    planHash: z.string(),
  })
  .meta({ id: 'ProjectTransferPlan' })

export const ProjectTransferRequest = z
  .object({
    id: z.string(),
    project: z.string(),
    sourceWorkspace: z.string(),
    targetWorkspace: z.string(),
    targetName: z.string(),
    targetFullname: z.string(),
    status: TransferStatus,
    planHash: z.string(),
    counts: TransferCounts,
    requestedBy: z.string(),
    decidedBy: z.string().optional(),
    decidedAt: Time.optional(),
    appliedAt: Time.optional(),
    reason: z.string().optional(),
    failureReason: z.string().optional(),
    expiresAt: Time,
    ...Stamped,
  })
  .meta({ id: 'ProjectTransferRequest' })

export const ProjectTransferAcceptResult = z
  .object({
    request: ProjectTransferRequest,
    transfer: z.object({ appliedAt: Time, writes: z.record(z.string(), z.number().int()) }),
  })
  .meta({ id: 'ProjectTransferAcceptResult' })

export const TransferListQuery = ListQuery.extend({
  workspace: z.string().max(255).optional(),
  direction: TransferDirection.optional(),
  status: TransferStatus.optional(),
})
