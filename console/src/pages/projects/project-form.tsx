import { Radio, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { FormFooter } from '../../forms/form-footer.tsx'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { type LinkRow, LinksField } from '../../forms/links-field.tsx'
import { nameIssue } from '../../forms/names.ts'
import { TitleAndName } from '../../forms/title-and-name.tsx'
import { useForm } from '../../forms/use-form.ts'
import { type Access, accesses, accessFields, type Project } from '../../layouts/project/access.ts'

export type ProjectValues = {
  title: string
  name: string
  shortDescription: string
  description: string
  access: Access
  tags: string[]
  links: LinkRow[]
}

export const emptyProject: ProjectValues = {
  title: '',
  name: '',
  shortDescription: '',
  description: '',
  access: 'personal',
  tags: [],
  links: [],
}

type HiddenFields = Pick<Project, 'name' | 'fullname' | 'workspace' | 'labels'> & { meta: Partial<Project['meta']> }

/** A PUT replaces the whole project, so this includes the fields that the form does not show. */
export function savePayload(values: ProjectValues, { meta, ...hidden }: HiddenFields) {
  return {
    ...hidden,
    ...accessFields(values.access),
    tags: values.tags,
    meta: {
      ...meta,
      title: values.title,
      description: values.description,
      shortDescription: values.shortDescription.trim() === '' ? undefined : values.shortDescription,
      links: values.links,
    },
  }
}

type ProjectFormProps = {
  /** What the form edits. Its unsaved values are kept under this name. */
  subject: string
  initial: ProjectValues
  /** The ETag of `initial`. */
  version?: string | undefined
  isNew?: boolean
  verb: string
  save: (values: ProjectValues, version: string | undefined) => Promise<unknown>
}

export function ProjectForm({ subject, initial, version, isNew = false, verb, save }: ProjectFormProps) {
  const form = useForm({
    initial,
    version,
    check: ({ title, name }) => [
      ...(title.trim() === '' ? [{ path: 'title', message: 'Enter a title' }] : []),
      ...nameIssue('name', name),
    ],
    save,
    keep: { name: `project ${subject}` },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <KeptFormNotice form={form} />
        <TitleAndName
          title={form.text('title')}
          name={form.text('name')}
          setName={(name) => form.set('name', name)}
          isNew={isNew}
        />
        <TextInput
          label="Short description"
          description="One line, shown in lists."
          {...form.text('shortDescription')}
        />
        <Textarea label="Description" autosize minRows={3} maxRows={14} {...form.text('description')} />
        <Radio.Group
          label="Access"
          value={form.values.access}
          onChange={(value) => form.set('access', readAccess(value))}
        >
          <Stack gap={8} mt={6}>
            {accesses.map(({ value, label, about }) => (
              <Radio key={value} value={value} label={label} description={about} />
            ))}
          </Stack>
        </Radio.Group>
        <TagsInput
          label="Tags"
          description="Press Enter after each tag."
          value={form.values.tags}
          onChange={(tags) => form.set('tags', tags)}
        />
        <LinksField
          description="Website, documentation, community."
          links={form.values.links}
          onChange={(links) => form.set('links', links)}
          errorOf={(path) => form.errorOf(`meta.links.${path}`)}
        />
        <FormFooter
          failure={form.failure}
          isSaving={form.isSaving}
          verb={verb}
          shownElsewhere={(path) => /title|description|name|links/i.test(path)}
        />
      </Stack>
    </form>
  )
}

function readAccess(value: string): Access {
  return accesses.find((access) => access.value === value)?.value ?? 'personal'
}
