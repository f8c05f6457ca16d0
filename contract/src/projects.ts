import * as z from 'zod'
import {
  AssetUrl,
  DateTime,
  Description,
  Fullname,
  HttpUrl,
  ListQuery,
  Stamped,
  Tagged,
  Tagging,
  Time,
  Title,
} from './base/common.ts'
import { ImageData, Level } from './workspaces.ts'

export const Visibility = z.enum(['public', 'private_link', 'personal'])
export const AccessLevel = z.enum(['private', 'public', 'free'])

export const ProjectSave = z.object({
  name: z.string(),
  fullname: Fullname,
  workspace: Fullname,
  public: z.boolean(),
  visibility: Visibility.optional(),
  accessLevel: AccessLevel.optional(),
  ...Tagging,
  meta: z.object({
    title: Title,
    description: Description,
    shortDescription: z.string().max(500).optional(),
    links: z
      .array(z.object({ title: Title, url: HttpUrl }))
      .max(50)
      .optional(),
    icon: AssetUrl.optional(),
    avatar: AssetUrl.optional(),
    cover: AssetUrl.optional(),
  }),
})

export const ProjectView = z
  .object({
    id: z.string(),
    name: z.string(),
    fullname: z.string(),
    workspace: z.string(),
    public: z.boolean(),
    visibility: Visibility,
    accessLevel: AccessLevel,
    ...Tagged,
    meta: z.object({
      title: z.string(),
      description: z.string(),
      shortDescription: z.string().optional(),
      links: z.array(z.object({ title: z.string(), url: z.string() })).optional(),
      icon: z.string().optional(),
      avatar: z.string().optional(),
      cover: z.string().optional(),
    }),
    ownerTitle: z.string().optional(),
    level: Level.optional(),
    counts: z.object({ triggers: z.number().int(), templates: z.number().int() }),
    ...Stamped,
  })
  .meta({ id: 'ProjectView' })

export const ProjectListQuery = ListQuery.extend({
  workspace: z.string().max(255).optional(),
  scope: z.enum(['all', 'marketplace', 'backend']).default('all'),
})

export const ProjectCreateCapability = z
  .object({
    canCreateProjects: z.boolean(),
    canCreatePrivateProjects: z.boolean(),
    privateProjectsUsed: z.number().int(),
    privateProjectsLimit: z.number().int().nullable(),
    reason: z.string().optional(),
  })
  .meta({ id: 'ProjectCreateCapability' })

export const AccessLinkCreate = z.object({
  maxUsages: z.number().int().min(1).max(1_000_000).optional(),
  expiresAt: DateTime.optional(),
})
export const ProjectAccessLink = z
  .object({
    id: z.string(),
    token: z.string(),
    url: z.string(),
    project: z.string(),
    workspace: z.string(),
    state: z.enum(['active', 'revoked', 'expired', 'exhausted']),
    maxUsages: z.number().int().optional(),
    usages: z.number().int(),
    expiresAt: Time.optional(),
    ...Stamped,
  })
  .meta({ id: 'ProjectAccessLink' })

export const ImageUpload = z.object({ ...ImageData, target: z.enum(['icon', 'cover']) })
export const ProjectImageUploadResult = z
  .object({
    url: z.string(),
    fileName: z.string(),
    extension: z.string(),
    size: z.number().int(),
    target: z.enum(['icon', 'cover']),
  })
  .meta({ id: 'ProjectImageUploadResult' })
