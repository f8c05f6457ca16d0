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
    scopes: ['read'],
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
    scopes: ['read'],
    reply: ProjectTemplate,
  },
  createTemplate: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/projects/:fullname/templates',
    noun: 'templates',
    summary: 'Create a template',
    auth: 'account',
    scopes: ['write'],
    body: TemplateSave,
    reply: ProjectTemplate,
  },
  getTemplate: {
    method: 'GET',
    path: '/api/projects/:fullname/templates/:id',
    noun: 'templates',
    summary: 'One template',
    auth: 'account',
    scopes: ['read'],
    reply: ProjectTemplate,
  },
  saveTemplate: {
    method: 'PUT',
    path: '/api/projects/:fullname/templates/:id',
    noun: 'templates',
    summary: 'Save a template',
    auth: 'account',
    scopes: ['write'],
    body: TemplateSave,
    reply: ProjectTemplate,
  },
  deleteTemplate: {
    method: 'DELETE',
    path: '/api/projects/:fullname/templates/:id',
    noun: 'templates',
    summary: 'Delete a template',
    auth: 'account',
    scopes: ['write'],
    reply: OperationResult,
  },
} as const satisfies Record<string, Route>
