import { renderToString } from 'react-dom/server';
import { Page } from './Page.jsx';

console.log(renderToString(<Page />));
