CREATE TABLE "imported_issues" (
	"task_id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"api_url" text NOT NULL,
	"repository" text NOT NULL,
	"number" integer NOT NULL,
	"issue_id" bigint
);
--> statement-breakpoint
ALTER TABLE "project_github" ADD COLUMN "issue_label" text;--> statement-breakpoint
ALTER TABLE "project_github" ADD COLUMN "issue_label_by" text;--> statement-breakpoint
ALTER TABLE "project_github" ADD COLUMN "issues_read_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "project_github" ADD COLUMN "issues_problem" text;--> statement-breakpoint
ALTER TABLE "imported_issues" ADD CONSTRAINT "imported_issues_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_issues" ADD CONSTRAINT "imported_issues_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "imported_issues_once" ON "imported_issues" USING btree ("project_id","api_url",lower("repository"),"number");--> statement-breakpoint
CREATE UNIQUE INDEX "imported_issues_once_renamed" ON "imported_issues" USING btree ("project_id","api_url","issue_id");--> statement-breakpoint
ALTER TABLE "project_github" ADD CONSTRAINT "project_github_issue_label_by_users_id_fk" FOREIGN KEY ("issue_label_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;