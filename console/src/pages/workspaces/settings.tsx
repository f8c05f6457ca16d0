import { Group, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { Picture } from '../../components/picture.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Label } from '../../components/status.tsx'
import type { Body } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { type Entity, useEntity } from '../../data/queries.ts'
import { atLeast, useWorkspace } from '../../data/workspace.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { ImageButton } from '../../forms/image-button.tsx'
import { useForm } from '../../forms/use-form.ts'
import { WorkspaceTabs } from '../../layouts/workspace-tabs.tsx'

type Workspace = Body<'getWorkspace'>

export function SettingsPage() {
  const { fullname } = useWorkspace()
  const { data, error, refetch } = useEntity('getWorkspace', { fullname })
  if (!data) return error ? <ErrorNotice error={error} retry={() => void refetch()} /> : <PageLoading />
  const { view } = data
  const mayEdit = atLeast(view.level, 'admin')
  return (
    <Page title={view.meta.title ?? view.fullname} about="Workspace settings." isNarrow>
      <WorkspaceTabs workspace={fullname} />
      <Section>
        <Facts
          facts={[
            [
              'Name',
              <span key="name" className="mono">
                {view.fullname}
              </span>,
            ],
            ['Your role', <Label key="level">{view.level}</Label>],
            ['Created', <RelativeTime key="at" at={view.createdAt} />],
          ]}
        />
      </Section>
      {mayEdit && <TitleForm entity={data} />}
      {mayEdit && <AvatarSection workspace={view} />}
      {view.level === 'owner' && <DeleteSection workspace={view} />}
    </Page>
  )
}

function TitleForm({ entity: { view, tag } }: { entity: Entity<Workspace> }) {
  const save = useChange('saveWorkspace', { notice: 'Workspace saved.' })
  const form = useForm({
    initial: { title: view.meta.title ?? '' },
    version: tag,
    save: ({ title }, version) =>
      save.mutateAsync({
        fullname: view.fullname,
        body: bodyOf(view, title),
        ...(version !== undefined && { ifMatch: version }),
      }),
  })
  return (
    <Section title="Title" about="Shown in the workspace switcher and beside its projects.">
      <form onSubmit={form.submit} noValidate>
        <Stack gap="sm">
          <TextInput label="Title" {...form.text('title')} />
          <FormFooter
            failure={form.failure}
            isSaving={form.isSaving}
            verb="Save"
            shownElsewhere={(path) => path === 'meta.title'}
          />
        </Stack>
      </form>
    </Section>
  )
}

/** A PUT replaces the whole workspace, so this includes the fields that the form does not show. */
function bodyOf({ fullname, tags, labels, meta }: Workspace, title: string) {
  return { fullname, tags, labels, meta: { ...meta, title: title.trim() === '' ? undefined : title } }
}

function DeleteSection({ workspace }: { workspace: Workspace }) {
  const navigate = useNavigate()
  const remove = useChange('deleteWorkspace', {
    notice: `${workspace.fullname} deleted.`,
    refetches: ['resources'],
    after: () => navigate({ to: '/' }),
  })
  return (
    <Section
      title="Delete workspace"
      about="You can delete a workspace that has no projects and no custom sources. This also deletes its destinations."
    >
      <ConfirmAction
        title={`Delete ${workspace.fullname}?`}
        text="Members lose access, and its destinations receive no more alerts. This cannot be undone."
        verb="Delete workspace"
        typed={workspace.fullname}
        act={() => remove.mutateAsync({ fullname: workspace.fullname })}
      >
        {(open) => <DangerButton onClick={open}>Delete workspace</DangerButton>}
      </ConfirmAction>
    </Section>
  )
}

function AvatarSection({ workspace }: { workspace: Body<'getWorkspace'> }) {
  const { fullname, meta } = workspace
  const upload = useChange('uploadAvatar', { notice: 'Image changed.' })
  return (
    <Section title="Image" about="PNG, JPEG or WebP, up to 1 MB. Metadata is removed.">
      <Group>
        <Picture url={meta.avatar} name={meta.title ?? fullname} size={64} />
        <ImageButton
          verb="Upload image"
          send={(body) => upload.mutateAsync({ fullname, body })}
          isBusy={upload.isPending}
        />
      </Group>
      <ErrorNotice error={upload.error} />
    </Section>
  )
}
