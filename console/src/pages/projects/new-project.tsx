import { useNavigate } from '@tanstack/react-router'
import { LinkText } from '../../components/links.tsx'
import { Page, Section } from '../../components/page.tsx'
import { useChange } from '../../data/changes.ts'
import { useWorkspace } from '../../data/workspace.ts'
import { emptyProject, ProjectForm, savePayload } from './project-form.tsx'

export function NewProjectPage() {
  const { fullname: workspace } = useWorkspace()
  const navigate = useNavigate()
  const save = useChange('saveProject', {
    notice: 'Project created.',
    after: ({ fullname }) =>
      navigate({ to: '/w/$workspace/projects/$project', params: { workspace, project: fullname } }),
  })
  return (
    <Page
      title="New project"
      about="You can change everything except the name later. Images can be added after creation."
      breadcrumb={
        <LinkText to="/w/$workspace/projects" params={{ workspace }}>
          Projects
        </LinkText>
      }
      isNarrow
    >
      <Section>
        <ProjectForm
          subject={`new in ${workspace}`}
          initial={emptyProject}
          isNew
          verb="Create project"
          save={(values) => {
            const fullname = `${workspace}.${values.name}`
            const body = savePayload(values, { name: values.name, fullname, workspace, labels: {}, meta: {} })
            return save.mutateAsync({ fullname, body })
          }}
        />
      </Section>
    </Page>
  )
}
