import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { DangerButton } from '../../components/danger-button.tsx'
import { Section } from '../../components/page.tsx'
import { useChange } from '../../data/changes.ts'
import type { Entity } from '../../data/queries.ts'
import { atLeast } from '../../data/workspace.ts'
import { accessOf, type Project } from '../../layouts/project/access.ts'
import { ProjectLayout } from '../../layouts/project/project-layout.tsx'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { PicturesSection } from './pictures.tsx'
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
