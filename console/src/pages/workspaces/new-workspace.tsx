import { Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Page, Section } from '../../components/page.tsx'
import { useChange } from '../../data/changes.ts'
import { rememberWorkspace } from '../../data/workspace.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { nameFrom, nameIssue } from '../../forms/names.ts'
import { useForm } from '../../forms/use-form.ts'

export function NewWorkspacePage() {
  const navigate = useNavigate()
  const [isNamed, setNamed] = useState(false)
  const create = useChange('saveWorkspace', {
    notice: 'Workspace created.',
    after: ({ fullname }) => {
      rememberWorkspace(fullname)
      return navigate({ to: '/w/$workspace/projects', params: { workspace: fullname } })
    },
  })
  const form = useForm({
    initial: { title: '', fullname: '' },
    check: ({ title, fullname }) => [
      ...(title.trim() === '' ? [{ path: 'title', message: 'Enter a title' }] : []),
      ...nameIssue('fullname', fullname),
    ],
    save: ({ title, fullname }) =>
      create.mutateAsync({ fullname, body: { fullname, createOnly: true, meta: { title } } }),
  })
  const title = form.text('title')
  const fullname = form.text('fullname')
  return (
    <Page title="New workspace" about="A workspace holds projects and the people who work on them." isNarrow>
      <Section>
        <form onSubmit={form.submit} noValidate>
          <Stack gap="md">
            <TextInput
              label="Title"
              {...title}
              onChange={(event) => {
                title.onChange(event)
                if (!isNamed) form.set('fullname', nameFrom(event.currentTarget.value))
              }}
            />
            <TextInput
              label="Name"
              description="The first part of all names in the workspace. Lower case letters, digits and hyphens. The name cannot be changed later."
              {...fullname}
              onChange={(event) => {
                setNamed(true)
                fullname.onChange(event)
              }}
            />
            <FormFooter
              failure={form.failure}
              isSaving={form.isSaving}
              verb="Create workspace"
              shownElsewhere={(path) => path === 'fullname'}
            />
          </Stack>
        </form>
      </Section>
    </Page>
  )
}
