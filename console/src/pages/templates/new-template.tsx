import { useNavigate } from '@tanstack/react-router'
import { useChange } from '../../data/changes.ts'
import { ProjectLayout } from '../../layouts/project/project-layout.tsx'
import { TemplateForm } from './template-form.tsx'
import { emptyTemplate, payloadOf } from './values.ts'

export function NewTemplatePage() {
  return <ProjectLayout>{({ view }) => <NewForm project={view.fullname} workspace={view.workspace} />}</ProjectLayout>
}

function NewForm({ project, workspace }: { project: string; workspace: string }) {
  const navigate = useNavigate()
  const create = useChange('createTemplate', {
    notice: 'Template created.',
    refetches: ['projects'],
    after: () => navigate({ to: '/w/$workspace/projects/$project/templates', params: { workspace, project } }),
  })
  return (
    <TemplateForm
      subject={`new in ${project}`}
      project={project}
      initial={emptyTemplate}
      verb="Create template"
      save={(values) => create.mutateAsync({ fullname: project, body: payloadOf(project, values) })}
    />
  )
}
