CREATE TABLE "project_github" (
	"project_id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"api_url" text,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pull_requests" (
	"task_id" text PRIMARY KEY NOT NULL,
	"api_url" text NOT NULL,
	"repository" text NOT NULL,
	"number" integer NOT NULL,
	"url" text NOT NULL,
	"base" text NOT NULL,
	"state" text NOT NULL,
	"is_draft" boolean NOT NULL,
	"opened_by" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"review" jsonb,
	"changed_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone,
	"problem" text
);
--> statement-breakpoint
ALTER TABLE "project_github" ADD CONSTRAINT "project_github_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pull_requests" ADD CONSTRAINT "pull_requests_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pull_requests_open" ON "pull_requests" USING btree ("read_at") WHERE "pull_requests"."state" = 'open';