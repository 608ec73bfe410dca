import parser from '@typescript-eslint/parser';
import n8n from 'eslint-plugin-n8n-nodes-base';

const parsed = (config) => ({
	languageOptions: { parser },
	plugins: { 'n8n-nodes-base': n8n },
	rules: n8n.configs[config].rules,
});

export default [
	{ files: ['package.json'], ...parsed('community'), languageOptions: { parser, parserOptions: { extraFileExtensions: ['.json'] } } },
	{
		files: ['credentials/**/*.ts'],
		...parsed('credentials'),
		// The address of the docs is a whole one: this is no node of n8n's own.
		rules: { ...n8n.configs.credentials.rules, 'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off' },
	},
	{ files: ['nodes/**/*.ts'], ...parsed('nodes') },
];
