import * as z from 'zod'
import { ListQuery, OperationResult } from '../base/common.ts'
import { ProjectTemplate, TemplateSave } from '../templates.ts'
import type { Route } from './route.ts'

export const templateRoutes = {
  listTemplates: {
    method: 'GET',
    path: '/api/projects/:fullname/templates',
    noun: 'templates',
    summary: 'Templates of a project, the root first',
    auth: 'account',
    query: ListQuery,
    reply: z.array(ProjectTemplate),
    list: true,
  },
  getRootTemplate: {
    method: 'GET',
    path: '/api/projects/:fullname/template',
    noun: 'templates',
    summary: 'The root template of a project',
    auth: 'account',
    reply: ProjectTemplate,
  },
  createTemplate: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/projects/:fullname/templates',
    noun: 'templates',
    summary: 'Create a template',
    auth: 'account',
    body: TemplateSave,
    reply: ProjectTemplate,
  },
  getTemplate: {
    method: 'GET',
    path: '/api/projects/:fullname/templates/:id',
    noun: 'templates',
    summary: 'One template',
    auth: 'account',
    reply: ProjectTemplate,
  },
  saveTemplate: {
    method: 'PUT',
    path: '/api/projects/:fullname/templates/:id',
    noun: 'templates',
    summary: 'Save a template',
    auth: 'account',
    body: TemplateSave,
    reply: ProjectTemplate,
  },
  deleteTemplate: {
    method: 'DELETE',
    path: '/api/projects/:fullname/templates/:id',
    noun: 'templates',
    summary: 'Delete a template',
    auth: 'account',
    reply: OperationResult,
  },
} as const satisfies Record<string, Route>
