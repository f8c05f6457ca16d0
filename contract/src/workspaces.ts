import * as z from 'zod'
import { AssetUrl, Fullname, Labels, Stamped, Tagged, Tags, Title } from './base/common.ts'

export const Level = z.enum(['owner', 'admin', 'developer', 'user'])
export type Level = z.infer<typeof Level>

export const WorkspaceSave = z.object({
  fullname: Fullname,
  createOnly: z.boolean().optional(),
  resetInvite: z.boolean().optional(),
  tags: Tags.default([]),
  labels: Labels.default({}),
  meta: z.object({ title: Title.optional(), avatar: AssetUrl.optional() }).default({}),
})

export const WorkspaceViewShort = z
  .object({
    id: z.string(),
    fullname: z.string(),
    ...Tagged,
    meta: z.object({ title: z.string().optional(), avatar: z.string().optional() }),
    level: Level,
    ...Stamped,
  })
  .meta({ id: 'WorkspaceViewShort' })
export const WorkspaceView = WorkspaceViewShort.extend({ invite: z.string().optional() }).meta({ id: 'WorkspaceView' })

export const ImageData = {
  filename: z.string().min(1).max(255),
  contentType: z.string().min(1).max(100),
  data: z.string().min(1),
}
export const AvatarUpload = z.object(ImageData)
export const AvatarUploadResult = z
  .object({
    url: z.string(),
    fileName: z.string(),
    extension: z.string(),
    size: z.number().int(),
    workspace: WorkspaceView,
  })
  .meta({ id: 'AvatarUploadResult' })

export const AclJoin = z.object({ invite: z.string().min(1).max(256) })
export const AclLevel = z.object({ level: Level })
export const WorkspaceAclEntry = z
  .object({
    id: z.string(),
    level: Level,
    user: z.object({
      id: z.string(),
      name: z.string(),
      email: z.string().optional(),
      avatar: z.string().optional(),
    }),
    ...Stamped,
  })
  .meta({ id: 'WorkspaceAclEntry' })
