import { useNavigate, useParams } from '@tanstack/react-router'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { useChange } from '../../data/changes.ts'
import { type Entity, useEntity } from '../../data/queries.ts'
import { atLeast } from '../../data/workspace.ts'
import type { Project } from '../../layouts/project/access.ts'
import { ProjectLayout } from '../../layouts/project/project-layout.tsx'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { TemplateForm } from './template-form.tsx'
import { payloadOf, type Template } from './values.ts'
import { WizardPreview } from './wizard-preview.tsx'

export function EditTemplatePage() {
  return <ProjectLayout>{({ view }) => <Loaded project={view} />}</ProjectLayout>
}

function Loaded({ project }: { project: Project }) {
  const { template: id } = useParams({ from: '/shell/w/$workspace/projects/$project/templates/$template' })
  const { data, error, refetch } = useEntity('getTemplate', { fullname: project.fullname, id })
  if (error && !data) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <PageLoading />
  if (!atLeast(project.level, 'developer')) return <WizardPreview values={data.view} />
  return (
    <>
      <StackNotice
        workspace={project.workspace}
        kind="template"
        name={data.view.key}
        labels={data.view.labels}
        isEdited
      />
      <EditForm entity={data} />
      {atLeast(project.level, 'admin') && <DeleteSection template={data.view} workspace={project.workspace} />}
    </>
  )
}

function EditForm({ entity: { view, tag } }: { entity: Entity<Template> }) {
  const { project, id } = view
  const save = useChange('saveTemplate', { notice: 'Template saved.', refetches: ['subscriptions'] })
  return (
    <TemplateForm
      subject={id}
      project={project}
      initial={view}
      version={tag}
      verb="Save"
      save={(values, version) =>
        save.mutateAsync({ fullname: project, id, body: payloadOf(project, values), ifMatch: version })
      }
    />
  )
}

function DeleteSection({ template: { id, project, meta }, workspace }: { template: Template; workspace: string }) {
  const navigate = useNavigate()
  const remove = useChange('deleteTemplate', {
    notice: `${meta.title} deleted.`,
    refetches: ['projects', 'subscriptions'],
    after: () => navigate({ to: '/w/$workspace/projects/$project/templates', params: { workspace, project } }),
  })
  return (
    <Section title="Delete template" about="Subscriptions to its topics create no more alerts.">
      <ConfirmAction
        title={`Delete ${meta.title}?`}
        text="Subscriptions to topics of this template create no more alerts. This cannot be undone."
        verb="Delete template"
        act={() => remove.mutateAsync({ fullname: project, id })}
      >
        {(open) => <DangerButton onClick={open}>Delete template</DangerButton>}
      </ConfirmAction>
    </Section>
  )
}
