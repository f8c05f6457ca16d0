import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/page.tsx'
import { isSameOrigin, Picture } from '../../components/picture.tsx'
import { useChange } from '../../data/changes.ts'
import type { Entity } from '../../data/queries.ts'
import { atLeast } from '../../data/workspace.ts'
import { ImageButton, type readImage } from '../../forms/image-button.tsx'
import { accessOf, type Project, payloadOf } from '../../layouts/project/access.ts'
import classes from '../../layouts/project/project.module.css'
import { ProjectLayout } from '../../layouts/project/project-layout.tsx'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { ProjectForm, savePayload } from './project-form.tsx'
import { SecretsSection } from './secrets-section.tsx'

export function ProjectSettingsPage() {
  return (
    <ProjectLayout>
      {(entity) => (
        <>
          {atLeast(entity.view.level, 'admin') && (
            <>
              <Managed project={entity.view} />
              <Section title="Project">
                <EditForm entity={entity} />
              </Section>
              <PicturesSection entity={entity} />
            </>
          )}
          {atLeast(entity.view.level, 'developer') && <SecretsSection fullname={entity.view.fullname} />}
          {entity.view.level === 'owner' && <DeleteSection project={entity.view} />}
        </>
      )}
    </ProjectLayout>
  )
}

function Managed({ project: { workspace, fullname, labels } }: { project: Project }) {
  return <StackNotice workspace={workspace} kind="project" name={fullname} labels={labels} isEdited />
}

function EditForm({ entity: { view, tag } }: { entity: Entity<Project> }) {
  const save = useChange('saveProject', { notice: 'Project saved.' })
  const { meta } = view
  return (
    <ProjectForm
      subject={view.fullname}
      version={tag}
      initial={{
        title: meta.title,
        name: view.name,
        shortDescription: meta.shortDescription ?? '',
        description: meta.description,
        access: accessOf(view),
        tags: view.tags,
        links: meta.links ?? [],
      }}
      verb="Save"
      save={(values, version) => {
        const { name, fullname, workspace, labels } = view
        const body = savePayload(values, { name, fullname, workspace, labels, meta })
        return save.mutateAsync({ fullname, body, ...(version !== undefined && { ifMatch: version }) })
      }}
    />
  )
}

function DeleteSection({ project }: { project: Project }) {
  const navigate = useNavigate()
  const { fullname, workspace } = project
  const remove = useChange('deleteProject', {
    notice: `${fullname} deleted.`,
    refetches: ['triggers', 'templates', 'resources', 'transfers', 'subscriptions'],
    after: () => navigate({ to: '/w/$workspace/projects', params: { workspace } }),
  })
  return (
    <Section title="Delete project" about="This also deletes its triggers, templates, access links and images.">
      <ConfirmAction
        title={`Delete ${fullname}?`}
        text="Subscribers of this project receive no more alerts. This cannot be undone."
        verb="Delete project"
        typed={fullname}
        act={() => remove.mutateAsync({ fullname })}
      >
        {(open) => <DangerButton onClick={open}>Delete project</DangerButton>}
      </ConfirmAction>
    </Section>
  )
}

type Target = 'icon' | 'cover'

/** Uploads icon and cover. A save of the project then refers to the uploaded file. */
function PicturesSection({ entity }: { entity: Entity<Project> }) {
  const { meta } = entity.view
  return (
    <Section title="Images" about="PNG, JPEG or WebP, up to 5 MB. Metadata is removed.">
      <Stack gap="lg">
        <Group align="center">
          <Picture url={meta.icon} name={meta.title} size={64} />
          <Change target="icon" entity={entity} />
        </Group>
        <Stack gap="xs">
          {isSameOrigin(meta.cover) ? (
            <img className={classes.banner} src={meta.cover} alt="" />
          ) : (
            <Text c="dimmed">No cover yet.</Text>
          )}
          <Change target="cover" entity={entity} />
        </Stack>
      </Stack>
    </Section>
  )
}

function Change({ target, entity: { view, tag } }: { target: Target; entity: Entity<Project> }) {
  const { fullname } = view
  const save = useChange('saveProject', { notice: `${target === 'icon' ? 'Icon' : 'Cover'} changed.` })
  const upload = useChange('uploadProjectImage')
  const put = (url: string | undefined) => {
    const payload = payloadOf(view)
    const body = { ...payload, meta: { ...payload.meta, [target]: url, ...(target === 'icon' && { avatar: url }) } }
    return save.mutateAsync({ fullname, body, ...(tag !== undefined && { ifMatch: tag }) })
  }
  const send = async (image: Awaited<ReturnType<typeof readImage>>) =>
    put((await upload.mutateAsync({ fullname, body: { ...image, target } })).url)
  return (
    <div>
      <Group gap="xs">
        <ImageButton verb={`Upload ${target}`} isBusy={upload.isPending || save.isPending} send={send} />
        {view.meta[target] !== undefined && (
          <Button variant="default" onClick={() => void put(undefined).catch(() => undefined)}>
            Remove {target}
          </Button>
        )}
      </Group>
      <ErrorNotice error={upload.error ?? save.error} />
    </div>
  )
}
