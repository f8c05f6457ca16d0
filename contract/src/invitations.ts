import * as z from 'zod'
import { DateTime, Email, Time } from './base/common.ts'
import { Level } from './workspaces.ts'

export const InvitationCreate = z.object({
  email: Email,
  level: Level.default('user'),
  expiresAt: DateTime.optional().meta({ description: 'default: in seven days' }),
})

export const InvitationView = z
  .object({
    id: z.string(),
    workspace: z.string(),
    email: z.string(),
    level: Level,
    state: z.enum(['pending', 'accepted', 'expired', 'revoked']),
    expiresAt: Time,
    createdAt: Time,
    invitedBy: z.object({ id: z.string(), name: z.string() }),
  })
  .meta({ id: 'Invitation' })
