import * as z from 'zod'
import { Description, FreeForm, Fullname, StackMark, Stamped, Title } from './base/common.ts'
import { Conditions } from './triggers/conditions.ts'
import { Policy } from './triggers/policies/index.ts'

const Name = z.string().min(1).max(128)

export const TemplateGroup = z.object({ name: Name, meta: z.object({ title: Title, description: Description }) })
export const TemplateTopic = z.object({
  name: Name,
  group: z.string().min(1).max(255),
  selectedByDefault: z.boolean(),
  meta: z.object({ title: Title, description: Description.optional() }),
})
export const TemplateRule = z.object({
  id: Name,
  trigger: Fullname,
  topic: Name,
  inputs: z.record(z.string(), z.unknown()).nullish(),
  policy: Policy.nullish(),
  conditions: Conditions.nullish(),
  deprecated: z.boolean(),
  requiredValues: z.array(z.string().min(1).max(128)).max(200),
})

export const TemplateSave = z.object({
  project: Fullname,
  /** A map from names to schemas, or one JSON Schema of an object; the server checks which. */
  schema: FreeForm,
  groups: z.array(TemplateGroup).max(200),
  topics: z.array(TemplateTopic).max(500),
  rules: z.array(TemplateRule).max(1000),
  meta: z.object({ title: Title, description: Description }),
})

export const ProjectTemplate = z
  .object({
    id: z.string(),
    project: z.string(),
    root: z.boolean(),
    schema: FreeForm,
    groups: z.array(TemplateGroup),
    topics: z.array(TemplateTopic),
    rules: z.array(TemplateRule.extend({ issue: z.string().optional() })),
    meta: z.object({ title: z.string(), description: z.string() }),
    /** Names the template in its stack. */
    key: z.string().optional(),
    ...StackMark,
    issue: z.string().optional(),
    ...Stamped,
  })
  .meta({ id: 'ProjectTemplate' })
