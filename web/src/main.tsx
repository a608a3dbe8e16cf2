import '@xyflow/react/dist/base.css';
import './styles/tokens.css';
import './styles/categories.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/graph.css';
import './styles/panels.css';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app';
import { keepAll } from './state/place';
import { startSession } from './state/session';
import { socketAddress, takeToken } from './wire/token';

keepAll();
startSession(socketAddress(takeToken()));
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
