/** Where the dashboard begins: the code leaves the address first, then everything is drawn. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { openQueryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { enter, takeCode } from './session/enter.ts';
import { applyTheme } from './theme/theme.ts';
import './styles/index.css';

const code = takeCode();
// Outside of React, which may begin its effects twice: a code works once.
const entering = code === null ? null : enter(code);
applyTheme();
const place = document.getElementById('app');
if (place === null) throw new Error('index.html has no place for the dashboard');
createRoot(place).render(
  <StrictMode>
    <App client={openQueryClient()} entering={entering} />
  </StrictMode>,
);
